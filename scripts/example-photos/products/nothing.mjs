/** An empty table, for pictures of light and cloth alone. */
export function nothing() {
  return {
    bounds: { center: [0, -50, 0], radius: 0.01 },
    distance: () => 10,
    surface: () => ({ color: [0, 0, 0], rough: 1, f0: 0 }),
  };
}
