"""`python -m rl_lab.api` prints the OpenAPI document without starting a lab."""

import json

from rl_lab.api.app import create_app
from rl_lab.settings import Settings

print(json.dumps(create_app(Settings()).openapi(), indent=2, sort_keys=True, ensure_ascii=False))
