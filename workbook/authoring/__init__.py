"""Text in, notebooks out: the one-way build behind `make build`. README.md says how a source is written."""
