/* How often a server has taken this database: one that lost its lock sees by it whether another came in between. */
CREATE TABLE server_epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL
);
INSERT INTO server_epoch (epoch) VALUES (0);
