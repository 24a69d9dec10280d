"""Series of millions of requests, each gone over where it lies: batches that overlap, and values by their rank.

A batch that begins one request later has one more at its end and one less at its beginning: its sum follows from that
of the one before, and nothing but the sum of all squares is kept. What is summed is measured from its mean, so that
what rounding leaves of each step stays far below what batches differ by.

Numbers that are not negative have the order of their bits, read as an integer (IEEE 754). So the leading bits tell
where a number belongs, and only those that share them with one that is asked for have to be sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.compiled import called, inlined


class Times(NamedTuple):
    """Times (s) of requests in the order of completion."""

    times: Any


class Shares(NamedTuple):
    """Times (s) of requests in the order of completion, and some values, each with the share of times up to it.

    Of each there is room for how many of the present batch are up to it, and for a sum of squares.
    """

    times: Any
    values: Any
    shares: Any
    inside: Any
    squares: Any


class Flow(NamedTuple):
    """Requests in the order of completion: seconds since the one before, number of the kind, and bytes.

    `parts` says for each kind how much of it counts.
    """

    gaps: Any
    which: Any
    moved: Any
    parts: Any


class Luck(NamedTuple):
    """Requests as in `Flow`, of which `means` are the shares of the kinds, the mean size, and the mean gap.

    There is room for the sums of a batch, in the same order and less these, and for the sums of their products.
    """

    gaps: Any
    which: Any
    moved: Any
    means: Any
    sums: Any
    products: Any


class Cleared(NamedTuple):
    """Requests as in `Flow`, what to take off the gap of each kind, and room for the gaps that are left."""

    gaps: Any
    which: Any
    moved: Any
    less: Any
    room: Any


class Choice(NamedTuple):
    """Times of requests, numbers of their kinds, what `parts` says of each kind, and room for times that are chosen."""

    times: Any
    which: Any
    parts: Any
    chosen: Any


class Words(NamedTuple):
    """The bits of numbers that are not negative, as integers, how many begin alike, and those that were asked for."""

    bits: Any
    counts: Any
    is_wanted: Any
    found: Any


@called
def square_times(t: Times, length: int, mean: float) -> float:
    """Return the sum of the squares of how far the mean of each batch of `length` times lies from that of all."""
    times, inside, squares = t.times, 0.0, 0.0
    for end in range(length):
        inside += times[end] - mean
    for end in range(length, times.shape[0]):
        squares += inside * inside
        inside += times[end] - times[end - length]
    return (squares + inside * inside) / (float(length) * length)


@called
def square_shares(s: Shares, length: int) -> None:
    """Write the same of the shares of times that are at most each of some values, all in one go over the times."""
    many = s.values.shape[0]
    for end in range(length):
        for at in range(many):
            s.inside[at] += int(s.times[end] <= s.values[at])
    for end in range(length, s.times.shape[0]):
        for at in range(many):
            above = s.inside[at] - length * s.shares[at]
            s.squares[at] += above * above
            s.inside[at] += int(s.times[end] <= s.values[at]) - int(s.times[end - length] <= s.values[at])
    for at in range(many):
        above = s.inside[at] - length * s.shares[at]
        s.squares[at] = (s.squares[at] + above * above) / (float(length) * length)


@inlined
def amount_of(f: Flow, at: int, of_bytes: int) -> float:
    """Return what of a request counts: itself or its bytes."""
    part = f.parts[f.which[at]]
    return float(part * f.moved[at] if of_bytes == 1 else part)


@called
def square_rates(f: Flow, length: int, amount: float, gap: float, of_bytes: int) -> float:
    """Return the same of the amounts over their mean less the gaps over theirs, which is 0 on the whole."""
    inside, squares, per_amount, per_gap = 0.0, 0.0, 1.0 / amount, 1.0 / gap
    for end in range(length):
        inside += amount_of(f, end, of_bytes) * per_amount - f.gaps[end] * per_gap
    for end in range(length, f.gaps.shape[0]):
        squares += inside * inside
        begin = end - length
        more = amount_of(f, end, of_bytes) - amount_of(f, begin, of_bytes)
        inside += more * per_amount - (f.gaps[end] - f.gaps[begin]) * per_gap
    return (squares + inside * inside) / (float(length) * length)


@inlined
def gather_luck(luck: Luck, at: int, sign: float) -> None:
    """Take a request into the sums of the present batch, or out of them (-1)."""
    size = luck.means.shape[0] - 2
    luck.sums[luck.which[at]] += sign
    luck.sums[size] += sign * (luck.moved[at] - luck.means[size])
    luck.sums[size + 1] += sign * (luck.gaps[at] - luck.means[size + 1])


@called
def multiply_luck(luck: Luck, length: int) -> None:
    """Add up the products of the sums of each batch of `length` requests but the first: below the diagonal, and on it.

    Those of kinds begin at what is expected of so many, so that they count from there.
    """
    many = luck.means.shape[0]
    for k in range(many - 2):
        luck.sums[k] = -length * luck.means[k]
    for end in range(length):
        gather_luck(luck, end, 1.0)
    for end in range(length, luck.gaps.shape[0]):
        gather_luck(luck, end, 1.0)
        gather_luck(luck, end - length, -1.0)
        for row in range(many):
            for column in range(row + 1):
                luck.products[row, column] += luck.sums[row] * luck.sums[column]


@called
def clear_gaps(c: Cleared, per_byte: float) -> None:
    """Write the gaps less what their kinds and their bytes account for."""
    for at in range(c.gaps.shape[0]):
        c.room[at] = c.gaps[at] - c.less[c.which[at]] - per_byte * c.moved[at]


@called
def choose_times(choice: Choice) -> int:
    """List the times of the requests of kinds of which some part counts, in their order; return how many there are.

    Which kind is next is chance: so each is written, and the next one over it unless it counts.
    """
    many, last = 0, choice.chosen.shape[0] - 1
    for at in range(choice.times.shape[0]):
        choice.chosen[min(many, last)] = choice.times[at]
        many += int(choice.parts[choice.which[at]] > 0.0)
    return many


@called
def count_words(w: Words, least: int, shift: int) -> None:
    """Count the words that are alike but for the last `shift` bits, measured from the least of all."""
    for at in range(w.bits.shape[0]):
        w.counts[(w.bits[at] - least) >> shift] += 1


@called
def find_words(w: Words, least: int, shift: int) -> None:
    """List the words of which the leading bits are wanted."""
    many = 0
    for at in range(w.bits.shape[0]):
        if w.is_wanted[(w.bits[at] - least) >> shift]:
            w.found[many] = w.bits[at]
            many += 1
