/* When a clock last ran: deadlines of members are moved by the time that the server was off. */
CREATE TABLE clock_stamp (
  clock text PRIMARY KEY,
  at bigint NOT NULL
);
