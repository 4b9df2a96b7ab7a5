"""Tests of the rules: a package, so that a rule and its service may have tests of one name."""
