"""The MCP connector: the tools that agents call, over HTTP at `/mcp` and over stdio by `memdb mcp`."""
