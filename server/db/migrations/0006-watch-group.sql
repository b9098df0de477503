/* The watchlist in groups. A group's id is its client's own UUID, so it is only told apart within its member; the first group has no name until it is given one. */
CREATE TABLE watch_group (
  member_id bigint NOT NULL REFERENCES member (id),
  id uuid NOT NULL,
  name text NOT NULL,
  place integer NOT NULL,
  PRIMARY KEY (member_id, id),
  CONSTRAINT watch_group_name UNIQUE (member_id, name)
);

/* Every member has at least one; what was followed so far lies in the first. */
INSERT INTO watch_group (member_id, id, name, place) SELECT id, gen_random_uuid(), '', 1 FROM member;

ALTER TABLE watchlist ADD COLUMN group_id uuid;
UPDATE watchlist SET group_id = watch_group.id FROM watch_group WHERE watch_group.member_id = watchlist.member_id;
ALTER TABLE watchlist ALTER COLUMN group_id SET NOT NULL;
ALTER TABLE watchlist DROP CONSTRAINT watchlist_pkey;
ALTER TABLE watchlist ADD PRIMARY KEY (member_id, group_id, code);
ALTER TABLE watchlist ADD FOREIGN KEY (member_id, group_id) REFERENCES watch_group (member_id, id) ON DELETE CASCADE;
