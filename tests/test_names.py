"""The name of a test fits on a line: 80 characters for what it claims, 80 for the id of its case."""

LONGEST = 80


def test_no_name_is_longer_than_a_line(request):
    """All tests of this run are looked at: run with `tests`, that is all there are."""
    names = {getattr(item, "originalname", None) or item.name for item in request.session.items}
    ids = {item.callspec.id for item in request.session.items if hasattr(item, "callspec")}
    assert [name for name in sorted(names | ids) if len(name) > LONGEST] == []
