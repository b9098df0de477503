/*
 * Closed accounts. The personal data moves here when the account is closed, so that nothing that serves members finds it, and goes when
 * the law no longer keeps it.
 */
CREATE TABLE closed_member (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  closed_at bigint NOT NULL,
  /* Erased after five years. */
  name text,
  id_number text,
  mobile text,
  birth_date text,
  /* When the data that no law keeps was erased; null: sessions still have to be ended, and it still has to be erased. */
  erased_at bigint,
  /* Until when identity and payments are kept, and when they were erased. */
  identity_until bigint NOT NULL,
  identity_erased_at bigint,
  /* The same for the account number, the last link from the orders to a person. */
  orders_until bigint NOT NULL,
  orders_erased_at bigint
);
CREATE INDEX closed_member_due ON closed_member (member_id) WHERE erased_at IS NULL OR identity_erased_at IS NULL OR orders_erased_at IS NULL;
