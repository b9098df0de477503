/*
 * Shorts are covered before a register closes: by the sixth trading day before it, with no new ones for four (操作辦法 art. 76). The notice
 * tells each member once.
 */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['shortCover']);
INSERT INTO rule (part, body) VALUES ('shortCover', '{"coverDays": 6, "stopDays": 4, "noticeDays": 5, "coverSeconds": 600}');
SELECT ledger_words_add('order', 'order_close_cause_check', ARRAY['shortCover']);
CREATE TABLE cover_notice (
  member_id bigint NOT NULL REFERENCES member (id),
  code text COLLATE "C" NOT NULL,
  last_day integer NOT NULL,
  PRIMARY KEY (member_id, code, last_day)
);
