/* What the operator told everybody. Each member has it as a notice in the inbox, until it is withdrawn. */
CREATE TABLE announcement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  withdrawn_at bigint
);
