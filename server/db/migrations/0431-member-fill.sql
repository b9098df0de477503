/* A mentor's record asks for what other members traded in the same moment. */
CREATE INDEX fill_between_members ON fill (at) WHERE reason IN ('member', 'shared');
