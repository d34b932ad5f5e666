import type { Article, ArticlePlace } from '#shared/api/article.ts';
import type { Movement, MovementResult } from '#shared/api/stock.ts';
import type { Answer, TestStation } from './startTestStation.ts';

export function articlePath(sku: string): string {
  return `/api/articles/${encodeURIComponent(sku)}/`;
}

/** Creates an article that is stored at the given places. */
export function addArticle(
  station: TestStation,
  sku: string,
  places: readonly object[] = [],
  given: object = {},
): Promise<Article> {
  return station.post<Article>('/api/articles/', { sku, places, ...given });
}

export function getArticle(station: TestStation, sku: string): Promise<Article> {
  return station.get<Article>(articlePath(sku));
}

/** Finds an article's place by name. */
export async function placeOf(station: TestStation, sku: string, location: string): Promise<ArticlePlace> {
  const { places } = await getArticle(station, sku);
  const place = places.find((each) => each.location === location);
  if (place === undefined) throw new Error(`Article ${sku} has no place ${location}.`);
  return place;
}

/** Returns the pieces of an article that are on hand, by place. */
export async function onHand(station: TestStation, sku: string): Promise<Record<string, number | null>> {
  const { places } = await getArticle(station, sku);
  return Object.fromEntries(places.map(({ location, on_hand: pieces }) => [location, pieces]));
}

export function postStock(station: TestStation, ...movements: readonly object[]): Promise<Answer> {
  return station.request('POST', '/api/stock/', { movements });
}

/** Posts one stock movement and returns its result. */
export async function postOne(station: TestStation, movement: object): Promise<MovementResult | undefined> {
  const { body } = await postStock(station, movement);
  return (body as MovementResult[])[0];
}

export function movementsOf(station: TestStation, query = ''): Promise<Movement[]> {
  return station.get<Movement[]>(`/api/movements/${query}`);
}

/** Returns the kind, place, change of quantity and resulting stock of each movement. */
export async function movedOf(station: TestStation, query = ''): Promise<unknown[][]> {
  const movements = await movementsOf(station, query);
  return movements.map(({ kind, location, delta, on_hand: after }) => [kind, location, delta, after]);
}
