module.exports = { api: { input: "openapi.json", output: { target: "orval/api.ts", client: "fetch", mode: "single" } } };
