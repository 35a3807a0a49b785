// A schema that demands different things of different events (if/then/else) in the form that json-schema-to-typescript
// understands: one list of members for each definition, and objects that have no members but those.

/** The schema as its types see it. `definitions` are the `$defs` that it refers to. */
export function typeSchema(schema, definitions) {
  if (Array.isArray(schema)) return schema.map((one) => typeSchema(one, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.if?.not?.type === 'null') return { anyOf: [schema.then, { type: 'null' }] };
  const { if: _, then, else: otherwise, anyOf, pattern: __, prefixItems, description, ...rest } = schema;
  const isAlternative = anyOf?.some(({ type, $ref }) => type !== undefined || $ref !== undefined);
  const own = {
    ...rest,
    ...(description && { description }),
    ...(isAlternative && { anyOf }),
    ...(prefixItems && { items: prefixItems }),
  };
  const merged = withBranches(withReference(own, definitions), [then, otherwise], definitions);
  const entries = Object.entries(merged).map(([key, value]) => [key, typeSchema(value, definitions)]);
  return closed(Object.fromEntries(entries));
}

/** What stands beside a `$ref` is demanded too; a description alone adds nothing. */
function withReference(schema, definitions) {
  const { $ref, description, ...beside } = schema;
  if ($ref === undefined || Object.keys(beside).length === 0) return $ref === undefined ? schema : { $ref };
  const target = resolved({ $ref }, definitions);
  if (target.type !== 'object') return { $ref };
  return {
    ...beside,
    description,
    required: [...new Set([...(target.required ?? []), ...(beside.required ?? [])])],
    properties: { ...membersOf(target, definitions), ...beside.properties },
  };
}

/** A member that only one branch has is optional; one that both have is either. */
function withBranches(schema, branches, definitions) {
  const properties = { ...schema.properties };
  for (const branch of branches.filter((one) => one !== undefined)) {
    for (const [name, member] of Object.entries(membersOf(resolved(branch, definitions), definitions))) {
      if (name in (schema.properties ?? {})) continue;
      properties[name] = name in properties ? { anyOf: [...alternatives(properties[name]), member] } : member;
    }
  }
  return Object.keys(properties).length > 0 ? { ...schema, properties } : schema;
}

function membersOf({ properties, then, else: otherwise }, definitions) {
  return withBranches({ properties }, [then, otherwise], definitions).properties ?? {};
}

function alternatives(schema) {
  return schema.anyOf ?? [schema];
}

function resolved(schema, definitions) {
  return schema.$ref === undefined ? schema : definitions[schema.$ref.replace('#/$defs/', '')];
}

const JSON_VALUE = { tsType: 'JsonObject[string]' };

/** An object without stated members is JSON that nobody looks into. */
function closed(schema) {
  if (schema.type !== 'object') return schema;
  const { properties, additionalProperties } = schema;
  if (properties === undefined && additionalProperties === undefined)
    return { ...schema, tsType: 'JsonObject' };
  return {
    ...schema,
    additionalProperties: additionalProperties === true ? JSON_VALUE : (additionalProperties ?? false),
  };
}
