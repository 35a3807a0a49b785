import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROOT } from '../../docs/page-blocks.ts';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false });
addFormats(ajv);
for (const name of ['heartbeat', 'notification']) {
  const file = `${name}.schema.json`;
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas', file), 'utf8')) as object;
  ajv.addSchema(schema, file);
}

const check = (file: string) => (value: unknown) => {
  const validate = ajv.getSchema(file);
  return validate?.(value) ? [] : (validate?.errors ?? [`no schema ${file}`]);
};

/** What is wrong with a heartbeat, or with what --notify gets; nothing for a valid one. */
export const isHeartbeat = check('heartbeat.schema.json');
export const isNotification = check('notification.schema.json');
