/* Fees, taxes and margins of options are rules, each for days. */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['options']);
INSERT INTO rule (part, body) VALUES ('options', '{"feeCents": 2500, "taxPerMillion": 1000, "exerciseTaxPerMillion": 20,
  "initialACents": 9000000, "initialBCents": 4500000, "maintenanceACents": 6900000, "maintenanceBCents": 3450000,
  "liquidationPercent": 25, "mostLots": 200}');
