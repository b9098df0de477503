/* Price alerts, and the inbox they speak through. Written only under the member's lock row (tally). */
CREATE TABLE alert (
  member_id bigint NOT NULL REFERENCES member (id),
  /* The client's own UUID for it. */
  id uuid NOT NULL,
  code text NOT NULL,
  kind text NOT NULL CONSTRAINT alert_kind CHECK (kind IN ('above', 'below', 'rise', 'fall', 'volume')),
  /* A price in ten-thousandths, hundredths of a percent, or lots. */
  level bigint NOT NULL CHECK (level > 0),
  status text NOT NULL CONSTRAINT alert_status CHECK (status IN ('waiting', 'fired', 'withdrawn')),
  set_at bigint NOT NULL,
  fired_at bigint,
  fired_price bigint,
  PRIMARY KEY (member_id, id),
  CHECK ((status = 'fired') = (fired_at IS NOT NULL)),
  CHECK (fired_price IS NULL OR fired_at IS NOT NULL)
);
CREATE INDEX alert_waiting ON alert (member_id, set_at DESC) WHERE status = 'waiting';
CREATE INDEX alert_fired ON alert (member_id, fired_at DESC) WHERE status = 'fired';

CREATE SEQUENCE message_no;
CREATE TABLE message (
  id bigint PRIMARY KEY DEFAULT nextval('message_no'),
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  kind text NOT NULL CONSTRAINT message_kind CHECK (kind IN ('welcome', 'alert')),
  read boolean NOT NULL DEFAULT false,
  alert_id uuid,
  FOREIGN KEY (member_id, alert_id) REFERENCES alert (member_id, id),
  CHECK ((kind = 'alert') = (alert_id IS NOT NULL)),
  /* An alert says once that it fired. */
  CONSTRAINT message_once UNIQUE (member_id, alert_id)
);
CREATE INDEX message_member ON message (member_id, id DESC);
CREATE INDEX message_unread ON message (member_id) WHERE NOT read;

INSERT INTO message (member_id, at, kind) SELECT id, created_at, 'welcome' FROM member;
