import type { z } from 'zod';
import type * as access from '../access.ts';
import type * as kiosk from '../kiosk.ts';
import type * as requestLog from '../requestLog.ts';
import type * as setup from '../setup.ts';
import type * as wallBoard from '../wallBoard.ts';
import { del, get, patch, post, type WithBody } from './route.ts';

/** Query of a request from the page. `page=1` selects the page's own cookies, whose names contain the station's id. */
type OfThePage = { query: { page?: '0' | '1' } };

/** People, programs and screens, and what they did. */
export const ACCESS_ROUTES = {
  // Sign-in
  signIn: post('/api/user/login/')<
    WithBody<typeof access.loginSchema, z.output<typeof access.loginResultSchema>> & OfThePage
  >(),
  signInWithPin: post('/api/user/pin/')<
    WithBody<typeof kiosk.pinSignInSchema, z.output<typeof access.loginResultSchema>> & OfThePage
  >(),
  signOut: post('/api/user/logout/')(),
  changePassword: post('/api/user/password/')<{ body: z.input<typeof setup.passwordChangeSchema> }>(),
  // Users
  listUsers: get('/api/users/')<{ answer: access.User[] }>(),
  addUser: post('/api/users/')<WithBody<typeof access.newUserSchema, access.User>>(),
  changeUser: patch('/api/users/{username}/')<WithBody<typeof access.userChangeSchema, access.User>>(),
  removeUser: del('/api/users/{username}/')(),
  // Kiosks
  getKioskScreen: get('/api/kiosk/')<{ answer: kiosk.KioskScreen }>(),
  listKiosks: get('/api/kiosks/')<{ answer: kiosk.Kiosk[] }>(),
  addKiosk: post('/api/kiosks/')<WithBody<typeof kiosk.newKioskSchema, kiosk.Kiosk>>(),
  removeKiosk: del('/api/kiosks/{id}/')(),
  // Screens for a wall
  listScreens: get('/api/screens/')<{ answer: wallBoard.WallScreen[] }>(),
  addScreen: post('/api/screens/')<WithBody<typeof wallBoard.newWallScreenSchema, wallBoard.WallScreenLink>>(),
  openScreen: post('/api/screens/session/')<WithBody<typeof wallBoard.wallScreenSecretSchema, wallBoard.WallSession>>(),
  removeScreen: del('/api/screens/{id}/')(),
  getWallBoard: get('/api/wall-board/')<{ answer: wallBoard.WallBoard }>(),
  // API users
  listApiUsers: get('/api/api-users/')<{ answer: access.ApiUser[] }>(),
  addApiUser: post('/api/api-users/')<WithBody<typeof access.newApiUserSchema, access.ApiUserSecrets>>(),
  rotateApiUser: post('/api/api-users/{id}/rotate/')<{
    body?: z.input<typeof access.rotationSchema>;
    answer: access.ApiUserSecrets;
  }>(),
  removeApiUser: del('/api/api-users/{id}/')(),
  // OAuth2
  issueToken:
    post('/api/oauth/token/')<WithBody<typeof access.tokenRequestSchema, z.output<typeof access.tokenSchema>>>(),
  // Activity
  listAudit: get('/api/audit/')<{ query: access.AuditQuery; answer: access.AuditEntry[] }>(),
  // Request log
  listRequests: get('/api/requests/')<{ query: requestLog.RequestLogQuery; answer: requestLog.LoggedRequest[] }>(),
  getRequest: get('/api/requests/{id}/')<{ answer: requestLog.LoggedExchange }>(),
} as const;
