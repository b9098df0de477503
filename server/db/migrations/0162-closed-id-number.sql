/* A closed account of the same person counts in offerings: a new one is no way past the bar, nor to a second application. */
CREATE INDEX closed_member_id_number ON closed_member (id_number);
