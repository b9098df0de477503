/* How a member likes charts and stream, and the lines drawn on charts: documents of the client, checked by the contract on the way in and out. */
CREATE TABLE preference (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  body jsonb NOT NULL
);

CREATE TABLE chart_line (
  member_id bigint NOT NULL REFERENCES member (id),
  code text NOT NULL,
  lines jsonb NOT NULL,
  PRIMARY KEY (member_id, code)
);
