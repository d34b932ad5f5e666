import { ODD, ODD_PATH, type PageCalls } from './pageCall.ts';

/** People, programs and kiosks, and what they did. */
export const ACCESS_CALLS = {
  listUsers: { given: [], sent: 'GET /api/users/' },
  addUser: {
    given: [{ username: 'Ann', password: 'long enough', role: 'picker' }],
    sent: 'POST /api/users/',
    body: { username: 'Ann', password: 'long enough', role: 'picker' },
  },
  changeUser: { given: [ODD, { role: 'admin' }], sent: `PATCH /api/users/${ODD_PATH}/`, body: { role: 'admin' } },
  removeUser: { given: [ODD], sent: `DELETE /api/users/${ODD_PATH}/` },
  listKiosks: { given: [], sent: 'GET /api/kiosks/' },
  addKiosk: { given: ['Bench 1'], sent: 'POST /api/kiosks/', body: { name: 'Bench 1' } },
  removeKiosk: { given: ['7'], sent: 'DELETE /api/kiosks/7/' },
  listScreens: { given: [], sent: 'GET /api/screens/' },
  addScreen: { given: ['Packing bench'], sent: 'POST /api/screens/', body: { name: 'Packing bench' } },
  removeScreen: { given: ['7'], sent: 'DELETE /api/screens/7/' },
  getKioskScreen: { given: [], sent: 'GET /api/kiosk/' },
  signInWithPin: {
    given: [{ username: 'Paula', pin: '4711' }],
    sent: 'POST /api/user/pin/?page=1',
    body: { username: 'Paula', pin: '4711' },
  },
  setOwnPin: {
    given: [{ pin: null, password: 'long enough' }],
    sent: 'PATCH /api/user/',
    body: { pin: null, password: 'long enough' },
  },
  listApiUsers: { given: [], sent: 'GET /api/api-users/' },
  addApiUser: {
    given: [{ name: 'ERP', scope: 'control' }],
    sent: 'POST /api/api-users/',
    body: { name: 'ERP', scope: 'control' },
  },
  rotateApiUser: { given: ['7', 60], sent: 'POST /api/api-users/7/rotate/', body: { grace_seconds: 60 } },
  removeApiUser: { given: ['7'], sent: 'DELETE /api/api-users/7/' },
  listAudit: { given: [{ limit: 50, after: '7' }], sent: 'GET /api/audit/?limit=50&after=7' },
  listRequests: {
    given: [{ limit: 50, after: '7', status: '4xx', by: ODD, path: ODD, from: 'programs' }],
    sent: 'GET /api/requests/?status=4xx&by=A%2F1+%C3%A4%3F&path=A%2F1+%C3%A4%3F&from=programs&limit=50&after=7',
  },
  getRequest: { given: ['7'], sent: 'GET /api/requests/7/' },
  signIn: {
    given: [{ username: 'Ann', password: 'secret' }],
    sent: 'POST /api/user/login/?page=1',
    body: { username: 'Ann', password: 'secret' },
  },
  signOut: { given: [], sent: 'POST /api/user/logout/' },
  changePassword: {
    given: [{ old_password: 'old', new_password: 'long enough' }],
    sent: 'POST /api/user/password/',
    body: { old_password: 'old', new_password: 'long enough' },
  },
} satisfies Partial<PageCalls>;
