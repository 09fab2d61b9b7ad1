"""What the tests of verbs that look at pictures share."""

from tests.rendered_table import table as table
