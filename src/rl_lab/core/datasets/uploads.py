"""A file that is sent to the lab to become a dataset; it may arrive in several pieces."""

from __future__ import annotations

from pydantic import BaseModel, Field

MAX_NAME = 200


class DatasetUpload(BaseModel):
    id: str
    name: str = Field(description="Of the file; only a text.")
    size: int = Field(description="Bytes of the whole file.")
    received: int = Field(description="Bytes that have arrived; the next piece begins here.")

    @property
    def is_complete(self) -> bool:
        return self.received == self.size
