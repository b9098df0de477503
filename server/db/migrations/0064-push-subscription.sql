/*
 * Web Push. The key pair that identifies this server to push services (VAPID), drawn at the first start: without it no subscription made
 * before can be used. A table of its own, so that nothing that reads settings can ever tell it.
 */
CREATE TABLE push_key (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  public_key text NOT NULL,
  private_key text NOT NULL
);
/* A browser's subscription belongs to the session it was made in, and ends with it. */
CREATE TABLE push_subscription (
  endpoint text COLLATE "C" PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  session_hash text NOT NULL REFERENCES session (hash) ON DELETE CASCADE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  language text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscription_member ON push_subscription (member_id, created_at);
CREATE INDEX push_subscription_session ON push_subscription (session_hash);
