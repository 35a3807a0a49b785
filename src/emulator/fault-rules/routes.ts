/** Every endpoint by the name that fault rules and the log of calls use: ids are written `{id}`. */
export const ROUTES = [
  'POST /get_auth_token',
  'POST /upload-media/',
  'POST /products/',
  'GET /products/{id}/',
  'PUT /products/{id}/',
  'PATCH /products/{id}/',
  'DELETE /products/{id}/',
  'POST /concepts/',
  'PUT /concepts/{id}/',
  'DELETE /concepts/{id}/',
  'POST /media-config/',
  'GET /media-config/{id}/',
  'DELETE /media-config/{id}/',
  'GET /media/{id}/{id}/',
  'GET /files/{id}',
] as const;

/** The making of a post. It is no request, but fault rules can name it like one. */
export const GENERATION = 'generation';

/** The name of a route from its pattern: `/products/:id/` is `/products/{id}/`. */
export function routeName(method: string, pattern: string): string {
  return `${method} ${pattern.replace(/:\w+/g, '{id}')}`;
}

/** The routes that `on` names. */
export function routesOf(on: string | readonly string[]): readonly string[] {
  const names = typeof on === 'string' ? [on] : on;
  return [...new Set(names.flatMap((name) => (name === '*' ? ROUTES : [name])))];
}
