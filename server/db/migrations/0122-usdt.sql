/*
 * USDT: the wallets that members send from, quotes of what is credited for it, and the two channels. Nobody holds the keys of the broker's
 * addresses: they were derived from a text.
 */
CREATE SEQUENCE wallet_address_no;
CREATE TABLE wallet_address (
  id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  network text NOT NULL CHECK (network IN ('trc20', 'erc20')),
  /* With its checksum, so that one address has one spelling. */
  address text NOT NULL,
  added_at bigint NOT NULL,
  removed_at bigint
);
CREATE INDEX wallet_address_member ON wallet_address (member_id, id);
CREATE UNIQUE INDEX wallet_address_once ON wallet_address (network, address) WHERE removed_at IS NULL;

/* A member's newest quote. */
CREATE TABLE deposit_quote (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  id uuid NOT NULL,
  body jsonb NOT NULL
);

ALTER TABLE deposit ADD COLUMN sender text;
CREATE INDEX deposit_sender ON deposit (sender) WHERE sender IS NOT NULL;
/* One transaction is credited once; after a rejection it may be submitted again. */
ALTER TABLE deposit DROP CONSTRAINT deposit_tx_hash_key;
CREATE UNIQUE INDEX deposit_tx ON deposit (tx_hash) WHERE status NOT IN ('rejected', 'expired');

UPDATE rule SET body = body || '{"quoteSeconds": 15}'::jsonb WHERE part = 'funding' AND member_id IS NULL AND body ->> 'quoteSeconds' = '60';
UPDATE rule SET body = '{"maxAddresses": 5}'::jsonb || body WHERE part = 'funding' AND member_id IS NULL;
INSERT INTO deposit_channel (id, kind, place, paid, currency, minimum, maximum, needs_proof, address) VALUES
  ('usdtTrc20', 'usdtTrc20', 4, 'USDT', 'USD', 20, 100000, true, 'TDQaL8BvzsEdUybbPEzduyP7NnKKw7Btxh'),
  ('usdtErc20', 'usdtErc20', 5, 'USDT', 'USD', 50, 100000, true, '0x2CE7382C933F06eEcB8d031eDC82a5f9Fa7cd18f');
UPDATE message SET deposit = '{"sender": null, "proofId": null}'::jsonb || deposit WHERE deposit IS NOT NULL;
UPDATE fact SET body = jsonb_set(body, '{deposit}', '{"sender": null, "proofId": null}'::jsonb || (body -> 'deposit'))
  WHERE type LIKE 'deposit.%';
UPDATE fact SET body = jsonb_set(body, '{message,deposit}', '{"sender": null, "proofId": null}'::jsonb || (body -> 'message' -> 'deposit'))
  WHERE type LIKE 'deposit.%' AND body -> 'message' ? 'deposit';
