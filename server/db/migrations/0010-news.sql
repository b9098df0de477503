/* What the newsroom wrote about a market (a universe: its seed and hours) in a session: about each subject once. */
CREATE TABLE news (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  universe text NOT NULL,
  /* The session by its Taipei day, counted from 1970. */
  day integer NOT NULL,
  subject text NOT NULL,
  at bigint NOT NULL,
  topic text NOT NULL CONSTRAINT news_topic CHECK (topic IN ('market', 'stocks', 'sectors', 'listings')),
  kind text NOT NULL CONSTRAINT news_kind CHECK (kind IN (
    'open', 'midday', 'wrap', 'surge', 'plunge', 'limitUp', 'limitDown', 'busy', 'exEvent', 'sectorUp', 'sectorDown', 'listing'
  )),
  codes text[] NOT NULL,
  board text,
  category text,
  facts json NOT NULL,
  UNIQUE (universe, day, subject)
);
CREATE INDEX news_at ON news (universe, at DESC, id DESC);
CREATE INDEX news_codes ON news USING gin (codes);

/* Which editions of a session went to print, so that a restart prints none twice and none is left out. */
CREATE TABLE news_edition (
  universe text NOT NULL,
  day integer NOT NULL,
  nth integer NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (universe, day, nth)
);
