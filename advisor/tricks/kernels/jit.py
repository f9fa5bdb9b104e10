# mypy: disable-error-code="return-value"
"""How kernels are compiled: signatures given, without the interpreter lock, cached on disk."""

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from numba import njit

from advisor.interrupt import HeldBack

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Places = NDArray[np.uint16]
    Masks = NDArray[np.uint32]
    Bytes = NDArray[np.int8]
else:
    Ints = Places = Masks = Bytes = Any

F = TypeVar("F")


def compiled(signature: str) -> "Callable[[F], F]":
    """Compile a function for one signature; fixed types also keep recursion cacheable."""
    return whole(partial(_compile, signature, {}))


def inlined(signature: str) -> "Callable[[F], F]":
    """Compile a helper into its callers: a call costs as much as the helper does."""
    return whole(partial(_compile, signature, {"forceinline": True}))


def _compile(signature: str, options: dict[str, Any], function: F) -> F:
    def compiler(cache: bool) -> Any:
        return njit(signature, cache=cache, nogil=True, boundscheck=False, **options)

    try:
        made: F = compiler(cache=True)(function)
    except OSError:  # no room for the cache
        made = compiler(cache=False)(function)
    return made


def whole(compiler: "Callable[[F], F]") -> "Callable[[F], F]":
    """Compile without a break: an interrupt inside LLVM is lost or crashes the process."""

    def decorate(function: F) -> F:
        with HeldBack():
            return compiler(function)

    return decorate
