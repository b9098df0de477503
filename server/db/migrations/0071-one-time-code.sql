/* Account numbers of members who register themselves; the operator's and the demo members' are lower. */
CREATE SEQUENCE account_no START 500001;

/* The legal representative of a member who was a minor at registration. */
CREATE TABLE representative (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  name text NOT NULL,
  id_number text NOT NULL,
  consented_at bigint NOT NULL
);

/* One live code per member and purpose; a new one replaces it. */
CREATE TABLE one_time_code (
  member_id bigint NOT NULL REFERENCES member (id),
  purpose text NOT NULL CHECK (purpose IN ('resetPassword', 'resetFundPassword')),
  code_hash text NOT NULL,
  expires_at bigint NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (member_id, purpose)
);
