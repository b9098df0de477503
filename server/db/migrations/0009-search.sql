/* What members chose from the results of a search: each instrument once a member, with the last time. */
CREATE TABLE search (
  member_id bigint NOT NULL REFERENCES member (id),
  code text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, code)
);
CREATE INDEX search_at ON search (at);
