-- The ledger of model calls has a row a call; of days long past one row for each purpose and model is enough.

ALTER TABLE llm_spend ADD COLUMN calls INTEGER NOT NULL DEFAULT 1;
