"""Plans: options that are checked."""

import pickle
from functools import partial

import pytest

import lookalike
from lookalike import Plan, PlanError


def test_a_plan_has_bands_and_an_id():
    plan = Plan(threshold=0.8, method="minhash")
    assert (plan.bands, plan.rows, len(plan.id)) == (21, 6, 16)
    assert plan.probability(0.8) > 0.99 and plan.probability(0.1) < 0.01
    with pytest.raises(AttributeError, match="has no bands"):
        _ = Plan(method="simhash").bands


def test_only_what_changes_bits_changes_the_id():
    assert Plan(threshold=0.5).id == Plan().id != Plan(seed=1).id


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        ({"threshold": 1.5}, "threshold", "threshold is 1.5; it must be above 0 and up to 1"),
        ({"shingle": 0}, "shingle", "shingle is 0; it must be from 1 to 1000"),
        ({"shingle": -1}, "shingle", "shingle is -1"),
        ({"bands": 32, "rows": 5}, "bands", "32 bands of 5 rows need 160 values"),
        ({"measure": "dice"}, "measure", "it must be one of jaccard, word-jaccard, cosine, containment"),
        ({"hamming": 3}, "hamming", 'hamming needs method="simhash"'),
        ({"method": "simhash", "num_perm": 64}, "num_perm", 'num_perm needs method="minhash"'),
        ({"method": "simhash", "threshold": 0.5}, "threshold", "threshold needs verify=True"),
        ({"weights": "tf"}, "weights", "weights needs"),
        ({"method": "simhash", "weights": "levels"}, "weights", "needs levels"),
        ({"method": "simhash", "weights": "levels", "levels": {"two words": 2}, "shingle": 1}, "levels", "not one shingle"),
        ({"method": "exact", "measure": "cosine", "weights": "tf"}, "method", "method exact compares sets"),
        ({"bits": 32}, "bits", "it must be 64 or 128"),
        ({"fold": "umlauts"}, "fold", "must be one of digits, accents, arabic-letters, hyphens, chinese"),
        ({"fold": "digits", "tokens": "whitespace"}, "fold", "fold needs tokens="),
        ({"stop_words": ["\u56e0\u4e3a"]}, "stop_words", "is several tokens"),
        ({"stop_words": "klingon"}, "stop_words", "the languages are"),
        ({"tokens": "letters"}, "tokens", "it must be one of words"),
    ],
)
def test_a_wrong_option_is_named(options, option, message):
    with pytest.raises(PlanError) as error:
        Plan(**options)
    assert message in str(error.value)
    assert error.value.option == option
    assert isinstance(error.value, ValueError)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_types_are_checked():
    with pytest.raises(TypeError, match="threshold is str; give a number"):
        Plan(threshold="0.5")
    with pytest.raises(TypeError, match="shingle is float; give a whole number"):
        Plan(shingle=2.5)
    with pytest.raises(TypeError, match="stop_words is int"):
        Plan(stop_words=5)


def test_plans_are_equal_if_they_search_alike():
    assert Plan() == Plan(threshold=0.8, shingle=5) and hash(Plan()) == hash(Plan(threshold=0.8))
    assert Plan() != Plan(method="minhash") and Plan() != 5
    words = Plan(stop_words=["the", "a"])
    assert words == Plan(stop_words={"a", "the"}) == Plan(stop_words=iter(["a", "the"]))
    levels = {"method": "simhash", "weights": "levels", "shingle": 1}
    assert Plan(levels={"red": 2}, **levels) != Plan(levels={"red": 3}, **levels)


def test_words_that_the_tokens_cut_have_no_level_and_are_named():
    sketch = partial(lookalike.sketch, ["red blue car"], method="simhash", weights="levels", shingle=1)
    with pytest.warns(UserWarning, match="the tokens cut these words, which have no level: blue car, two words$"):
        some = sketch(levels={"red": 2, "two words": 3, "blue car": 1})
    assert some.to_pylist() == sketch(levels={"red": 2}).to_pylist()


def test_a_plan_pickles_as_its_options():
    plan = Plan(threshold=0.7, stop_words=("the",), measure="cosine")
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and again.options == plan.options
    assert repr(plan) == "Plan(threshold=0.7, stop_words=('the',), measure='cosine')"


def test_a_pickled_plan_of_another_version_or_with_other_sketches_is_refused():
    restore, (version, options, id) = Plan(threshold=0.7).__reduce__()
    with pytest.raises(ValueError, match="this Plan was pickled in version 9, and this program reads version 1"):
        restore(9, options, id)
    other = Plan(threshold=0.7, shingle=3).id
    with pytest.raises(lookalike.Incompatible, match=f"its id is {other}, and {id} here"):
        restore(version, options, other)


def test_folds_are_names_with_commas_or_an_iterable():
    plan = Plan(fold="digits,accents")
    assert plan == Plan(fold=["accents", "digits"]) == Plan(fold={"digits", "accents"}) != Plan(fold="digits")
    assert plan.id != Plan().id and pickle.loads(pickle.dumps(plan)) == plan
    texts = ["le 3 f\u00e9vrier \u00e0 Paris, il pleut", "le 28 fevrier a Paris, il pleut", "other words of another day"]
    assert lookalike.dedup(texts, fold="digits,accents").kept() == [texts[0], texts[2]]
    assert lookalike.compare(texts[0], texts[1], fold="digits,accents").jaccard == 1.0
    assert lookalike.dedup(texts, threshold=0.9).kept() == texts


def test_none_is_the_default():
    assert Plan(bands=None, stop_words=None) == Plan() and Plan(bands=None).options == {}


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert Plan(threshold=numpy.float32(0.5), shingle=numpy.int64(3)) == Plan(threshold=0.5, shingle=3)


def test_sizes_of_memory_have_units():
    texts = ["a", "b"]
    assert lookalike.dedup(texts, memory="2GiB").kept() == texts
    with pytest.raises(ValueError, match="memory is"):
        lookalike.dedup(texts, memory="much")
    with pytest.raises(ValueError, match="give a unit"):
        lookalike.dedup(texts, memory="2")
