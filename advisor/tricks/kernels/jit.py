# mypy: disable-error-code="return-value"
"""How kernels are compiled: signatures given, without the interpreter lock, cached on disk."""

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
    return whole(njit(signature, cache=True, nogil=True, boundscheck=False))


def inlined(signature: str) -> "Callable[[F], F]":
    """Compile a helper into its callers: a call costs as much as the helper does."""
    return whole(njit(signature, cache=True, nogil=True, boundscheck=False, forceinline=True))


def whole(compiler: "Callable[[F], Any]") -> "Callable[[F], F]":
    """Compile without a break: an interrupt inside LLVM is lost or crashes the process."""

    def decorate(function: F) -> F:
        with HeldBack():
            made: F = compiler(function)
        return made

    return decorate
