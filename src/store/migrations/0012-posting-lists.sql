-- Posting lists have another form now (store/posting-list.ts). They are a cache: the next run builds them again.

DELETE FROM postings;
DELETE FROM posting_blocks;
