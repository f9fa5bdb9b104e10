"""``python -m advisor`` and the console scripts; next to nothing loads before Ctrl-C is safe."""

from __future__ import annotations

from advisor.interrupt import stop_at_once


def main() -> None:
    """Entry of the console script ``advisor``."""
    stop_at_once()
    from advisor.cli import main as run

    run()


def advise_main() -> None:
    """Entry of the console script ``advise``."""
    stop_at_once()
    from advisor.cli import advise_main as run

    run()


if __name__ == "__main__":
    main()
