/** The index of the tile to which a key moves the focus, from the tile at `at`; `undefined` for other keys. */
export function placeAfter(key: string, at: number, tiles: readonly HTMLElement[]): number | undefined {
  const firstOfSecondRow = tiles.findIndex((tile) => topOf(tile) !== topOf(tiles[0]));
  const columns = firstOfSecondRow === -1 ? tiles.length : firstOfSecondRow;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: tiles.length - 1,
  };
  const place = Object.hasOwn(places, key) ? places[key] : undefined;
  if (place === undefined) return undefined;
  return place < 0 || place >= tiles.length ? at : place;
}

function topOf(tile: HTMLElement | undefined): number | undefined {
  return tile && Math.round(tile.getBoundingClientRect().top);
}
