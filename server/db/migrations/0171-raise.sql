/*
 * Fund raisings: the lifecycle of an offering of kind `fund`, and members' stakes in it. The money of a stake lies in the pocket
 * `reserved` until it is a position or given back.
 */
CREATE TABLE raise (
  offering_no text COLLATE "C" PRIMARY KEY REFERENCES offering (offering_no),
  status text NOT NULL CHECK (status IN ('upcoming', 'raising', 'raised', 'failed', 'listed', 'terminated')),
  /* Lots that others ask for: secret until the close. */
  crowd_lots bigint NOT NULL CHECK (crowd_lots >= 0),
  /* With fewer lots asked for it fails. */
  least_lots bigint NOT NULL,
  distributions integer NOT NULL,
  yield_per_million integer NOT NULL,
  index_code text,
  matures_at bigint,
  asked_lots bigint,
  allotted_lots bigint,
  listing_price bigint,
  CHECK ((status IN ('upcoming', 'raising')) = (asked_lots IS NULL)),
  CHECK ((asked_lots IS NULL) = (allotted_lots IS NULL)),
  CHECK (allotted_lots <= asked_lots)
);
CREATE INDEX raise_moving ON raise (offering_no) WHERE status IN ('upcoming', 'raising', 'raised');

CREATE SEQUENCE stake_no;
CREATE TABLE stake (
  stake_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  offering_no text COLLATE "C" NOT NULL REFERENCES raise (offering_no),
  request_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('subscribed', 'inProgress', 'terminated', 'withdrawn', 'returned')),
  lots bigint NOT NULL CHECK (lots > 0),
  /* Set for all stakes of a raising when it is decided; told to the member, with the money for the rest, at `result_at`. */
  allotted_lots bigint CHECK (allotted_lots BETWEEN 0 AND lots),
  result_at bigint,
  price bigint NOT NULL CHECK (price > 0),
  value_cents bigint NOT NULL CHECK (value_cents >= 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  reserved_cents bigint NOT NULL CHECK (reserved_cents >= 0),
  reason text CHECK (reason IN ('member', 'debt', 'failed', 'notAllotted', 'sold', 'matured')),
  subscribed_at bigint NOT NULL,
  ended_at bigint,
  order_no text REFERENCES "order" (order_no),
  version integer NOT NULL,
  CHECK ((status = 'subscribed') = (reserved_cents > 0)),
  CHECK ((status IN ('inProgress', 'terminated')) = (order_no IS NOT NULL)),
  CHECK ((status IN ('subscribed', 'inProgress')) = (ended_at IS NULL)),
  CHECK ((ended_at IS NULL) = (reason IS NULL))
);
CREATE INDEX stake_member ON stake (member_id, id DESC);
/* What the clock still has to do. */
CREATE INDEX stake_moving ON stake (offering_no, id) WHERE status = 'subscribed';
CREATE INDEX stake_position ON stake (order_no) WHERE status = 'inProgress';
