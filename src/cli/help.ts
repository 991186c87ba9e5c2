import { COMMAND_OPTIONS } from '../core/service/service.ts';

const FILE_ONLY = COMMAND_OPTIONS.filter(({ flag }) => flag === undefined);

/** The text below the options in `--help`. */
export const HELP_END: string = `
Examples:
  petstore-mock --port 4010
  petstore-mock --error getPet=503 --error 'GET /store/orders=500@0.2' --error placeOrder=429x2
  petstore-mock my-api.yaml --fixtures my-entities --watch
  petstore-mock routes
  petstore-mock check my-api.yaml
  petstore-mock exec -- npm test
  petstore-mock explain reference-dangling

The command of Prism works too: petstore-mock mock my-api.yaml -p 4010 -h 0.0.0.0 -d -v debug

Options without a flag, for the config file only:
${FILE_ONLY.map(({ name, description }) => `  ${name.padEnd(10)}  ${description}`).join('\n')}

Options can also be set in petstore-mock.config.json (or .yaml), by their names in camelCase, and by environment variables:
--log-level is logLevel in the file and PETSTORE_MOCK_LOG_LEVEL in the environment. --error is errors, a list in the
file, and PETSTORE_MOCK_ERRORS, with ; between the rules. Flags win over the environment, and the environment over the file.`;
