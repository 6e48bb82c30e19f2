"""Code that may give another result each time is seen by its imports and calls, and other code is not."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.analysis.chance import reasons_for_change
from jupyter_mcpgen.analysis.packages import packages_in

CLOCK, CHANCE = "it reads the clock", "it draws random numbers"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import time\ntime.time()", CLOCK),
        ("from datetime import datetime\ndatetime.now()", CLOCK),
        ("from datetime import date\ndate.today()", CLOCK),
        ("import pandas as pd\npd.Timestamp.now()", CLOCK),
        ("import pandas as pd\npd.to_datetime('now')", CLOCK),
        ("import pandas as pd\npd.Timestamp('today')", CLOCK),
        ("import random\nrandom.random()", CHANCE),
        ("import uuid\nuuid.uuid4()", CHANCE),
        ("from secrets import token_hex\ntoken_hex()", CHANCE),
        ("import numpy as np\nnp.random.default_rng()", CHANCE),
        ("from numpy.random import default_rng\ndefault_rng()", CHANCE),
        ("import numpy as np\nnp.random.default_rng(None)", CHANCE),
        ("import numpy as np\n\n\ndef f(df, seed=None):\n    return np.random.default_rng(seed).normal()", CHANCE),
        ("import numpy as np\nnp.random.default_rng(1)\nnp.random.normal()", CHANCE),
        ("df.sample(3)", CHANCE),
        ("df.sample(3, random_state=None)", CHANCE),
        ("from scipy import stats\nstats.bootstrap((x,), f)", CHANCE),
    ],
)
def test_the_clock_and_chance_are_seen(code: str, reason: str) -> None:
    assert reasons_for_change(code) == (reason,)


@pytest.mark.parametrize(
    "code",
    [
        "df.sample(3, random_state=1)",
        "import numpy as np\nnp.random.default_rng(7).normal()",
        "import numpy as np\n\n\ndef f(df, seed: int = 7):\n    return np.random.default_rng(seed).normal()",
        "from scipy import stats\nstats.bootstrap((x,), f, rng=4)",
        "import pandas as pd\npd.to_datetime('2024-01-05')",
        "from datetime import datetime\ndatetime(2024, 1, 5)",
        "df['now'].sum()",
    ],
)
def test_code_that_gives_the_same_each_time_is_not_accused(code: str) -> None:
    assert reasons_for_change(code) == ()


def test_the_packages_that_code_needs_are_found_wherever_it_imports_them() -> None:
    code = "import scipy.stats\nimport os\n\n\ndef f():\n    from matplotlib import pyplot\n    import pandas\n"

    assert packages_in(code) == ("matplotlib", "scipy")
    assert packages_in("def f(:") == ()
