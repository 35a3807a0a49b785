/** Names of keys whose values must not be in a file that is kept in git. */
const SURE_NAME = 'api[_-]?key|api[_-]?token|access[_-]?token|client[_-]?secret|password';
const SURE_KEY = new RegExp(`^(?:${SURE_NAME})$`, 'i');
const SECRET_KEY = new RegExp(`^(?:${SURE_NAME}|token|secret)$`, 'i');

/** Any name that contains such a name (`apiKeyEnv`, `visuals_api_key`), or is `token` or `secret` itself. */
const SECRET_LIKE = `[\\w-]*(?:${SURE_NAME})[\\w-]*|(?:token|secret)(?:_env)?`;

/** From the key to the end of the line: in a flow map this covers more than the value. */
const SECRET_VALUE = new RegExp(`((?:^|[^\\w-])(?:${SECRET_LIKE})["']?\\s*:\\s*)(.+)$`, 'i');

const SECRET_IN_QUERY = /([?&][\w.-]*(?:key|token|secret|sig|pass|auth|credential)[\w.-]*=)([^&\s"'#]+)/gi;

const CREDENTIALS = /(:\/\/)([^/\s@]+)(?=@)/g;

/** True for keys of secrets even where any key is allowed, such as a variable called `secret`. */
export function isSurelySecret(key: string): boolean {
  return SURE_KEY.test(key);
}

export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** Replaces what may be a secret by asterisks; columns do not change. */
export function coverSecrets(line: string): string {
  const cover = (_: string, before: string, secret: string) => before + '*'.repeat(secret.length);
  return line.replace(SECRET_VALUE, cover).replace(CREDENTIALS, cover).replace(SECRET_IN_QUERY, cover);
}
