/** What stands below the options in `--help`. */
export const EXAMPLES: string = `
Examples:
  petstore-mock --port 4010
  petstore-mock --error getPet=503 --error 'GET /store/orders=500@0.2' --error placeOrder=429x2
  petstore-mock --spec my-api.yaml --fixtures my-entities --watch
  petstore-mock routes
  petstore-mock check --spec my-api.yaml

Every option can also stand in petstore-mock.config.json (or .yaml), by its name in camelCase, and in the environment,
as PETSTORE_MOCK_LOG_LEVEL for --log-level. --error is "errors" there, PETSTORE_MOCK_ERRORS with ; between the rules.
Flags win over the environment, the environment over the file.`;
