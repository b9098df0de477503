/* The shapes a member drew on charts: documents of the client, checked by the contract on the way in and out. */
CREATE TABLE chart_shape (
  member_id bigint NOT NULL REFERENCES member (id),
  code text NOT NULL,
  shapes jsonb NOT NULL,
  PRIMARY KEY (member_id, code)
);
