# In the style of CORL, for JAX: not offered.
from dataclasses import dataclass

import d4rl
import jax
import pyrallis


@dataclass
class Config:
    dataset_name: str = "halfcheetah-medium-v2"


@pyrallis.wrap()
def main(config: Config):
    print(d4rl, jax, config)
