/* The wide layout's workspace of a member: a document of the client, checked by the contract on the way in and out. */
CREATE TABLE workspace (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  body jsonb NOT NULL
);
