-- Where a chunk of a PDF stands on its page, and how sure the reader was of what was read from a picture. Filled when the
-- chunk is cut again.

ALTER TABLE chunks ADD COLUMN lines TEXT;
ALTER TABLE chunks ADD COLUMN ocr REAL;
