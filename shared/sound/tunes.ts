/** Tunes by name, from the specification and its addition. */
export const TUNES = {
  'Regular Beep': '15,c5,4',
  Constant: '15,c5,400',
  Macaroon: '250,c5,1,e5,1,g5,1,c6,1,g5,1,e5,1,c5,1',
  Marshmallow: '200,d5,3,d5,1,f5,2,f5,1,g5,1,f5,2',
  Meringue: '250,c6,1,a5,1,b5,1,g5,1,f5,1',
  Milkshake: '300,a5,1,g5s,1,f5s,1,d5,1',
  Mousse: '160,e5,3,e5,1,g5s,2,b5,2,a5,2',
  Muffin: '250,a5,1,c6,1,e6,1,c6,1,e6,1,c6,1,e6,1,c6,1,a5,1',
  Charge: '140,c5,2,f5,2,a5,2,c6,3,a5,1,c6,3',
  Charge2: '140,c5,2,f5,2,a5,2,g5,2,e5,2,f5,2,g5,2',
  Twilight: '140,g5s,2,a5,2,g5s,2,e5,2,g5s,2,a5,2,g5s,2,e5,2',
  Waterfall: '140,a5s,2,g5s,2,f5s,2,d5s,2,c5s,2,d5s,2,f5s,2',
  'Skip Along': '140,f5,2,f5,2,d5,2,f5,2,e5,2,d5,2,c5,2',
  'Yankee Doodle': '140,f5,2,f5,2,g5,2,a5,2,f5,2,a5,2,g5,2',
  Scale: '140,c5,2,d5,2,e5,2,f5,2,g5,2,f5,2,e5,2,d5,2,c5,2',
  'Scale-Reverse': '140,c6,2,b5,2,a5,2,g5,2,f5,2,g5,2,a5,2,b5,2,c6,2',
  'Day is Done': '140,c5,1,c5,1,f5,3,p,2,c5,1,f5,1,a5,3',
  'Ta-Da': '140,e5,1,e5,3,g5,1,g5,3,c5,1,c5,3',
  'Dreidel-Dreidel':
    '200,g5,1,c6,1,c6,1,d6,1,d6,1,e6,1,c6,2,e6,1,g6,1,g6,1,f6,1,e6,1,d6,3,a5,1,d6,1,d6,1,e6,1,e6,1,f6,1,d6,2,' +
    'g6,1,g6,1,f6,1,e6,1,d6,1,c6,3,g5,1,g6,1,f6,1,e6,1,d6,1,c6,2',
  Taps:
    '250,g5,2,g5,1,c6,6,g5,2,c6,1,e6,6,g5,1,c6,1,e6,2,g5,1,c6,1,e6,2,g5,1,c6,1,e6,6,c6,2,e6,1,g6,5,e6,2,c6,1,' +
    'g5,6,g5,2,g5,1,c6,6',
  Sakura:
    '200,a6,2,a6,2,b6,4,a6,2,a6,2,b6,4,a6,2,b6,2,c7,2,b6,2,a6,2,b6,1,a6,1,f6,4,e6,2,c6,2,e6,2,f6,2,e6,2,e6,1,' +
    'c6,1,b5,4,a6,2,b6,2,c7,2,b6,2,a6,2,b6,1,a6,1,f6,4,e6,2,c6,2,e6,2,f6,2,e6,2,e6,1,c6,1,b5,4,a6,2,a6,2,b6,4,' +
    'a6,2,a6,2,b6,4,e6,2,f6,2,b6,1,a6,1,f6,2,e6,4',
} as const;

/** Tune names as people write them. */
export const TUNE_NAMES: readonly string[] = Object.keys(TUNES);

/** Finds the encoding of a tune. Ignores case, spaces, `-` and `–` in the name. */
export function findTune(name: string): string | undefined {
  const wanted = squeeze(name);
  return Object.entries(TUNES).find(([known]) => squeeze(known) === wanted)?.[1];
}

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[\s\-–]/g, '');
}
