/* A call that members' orders were in: its official price (side 0), and the lots it has beyond the market's own, which may be none. */
ALTER TABLE member_trade DROP CONSTRAINT member_trade_lots_check;
ALTER TABLE member_trade ADD CONSTRAINT member_trade_lots_check CHECK (lots > 0 OR (side = 0 AND lots = 0));
