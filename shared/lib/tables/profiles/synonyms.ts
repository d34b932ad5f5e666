import { columnKey } from '../columnKey.ts';
import type { TableField, TableKind } from '../fields.ts';

const ORDERS = {
  order_number: `order number; order; order no; order nr; order id; sales order; sales order number; sales order no;
    picklist; pick list; picklist number; customer order; customer order number; web order number; sales document; sales document number; sales order id; increment id; sale order number; order ref;
    Auftrag; Auftragsnummer; Auftragsnr; Auftrag Nr; Auftrags ID; Bestellung; Bestellnummer; Bestellnr; Bestell Nr;
    Bestellungsnummer; Belegnummer; Belegnr; Beleg Nr; Kundenauftrag; Pickliste;
    commande; numéro de commande; numéro commande; n° commande; n° de commande; no commande; no de commande; nº de commande;
    nº commande; num commande; réf commande; référence commande; référence de commande; bon de commande;
    pedido; número de pedido; número pedido; nº pedido; nº de pedido; n° pedido; num pedido; no pedido; no de pedido;
    núm pedido; ID de pedido; orden; número de orden;
    bestelnummer; bestelnr; ordernummer; ordernr; bestelling; bestelling nr; verkooporder; verkoopordernummer; klantorder;
    zamówienie; numer zamówienia; nr zamówienia; id zamówienia; zamówienie nr; numer zamówienia klienta`,
  shipment_number: `shipment number; shipment; shipment no; shipment id; delivery number; delivery note;
    delivery note number; parcel; parcel number; package number;
    Sendung; Sendungsnummer; Lieferschein; Lieferscheinnummer; Lieferscheinnr; Lieferungsnummer; Paketnummer;
    expédition; numéro d'expédition; bon de livraison; numéro de livraison; colis; numéro de colis;
    envío; número de envío; albarán; número de albarán; paquete`,
  SKU: `SKU; article number; article no; article nr; article code; item number; item no; item nr; item code;
    item sku; lineitem sku; line item sku; offer sku; own sku; our sku; sku reference; sku reference no; sku reference number; merchant sku; product reference; item reference; part number; part no; part nr; material; material number; product code; product number; product no;
    product sku; stock code; variant sku; seller sku; internal reference; default code;
    Artikelnummer; Artikelnr; Artikel Nr; Art Nr; Artikel Nummer; Artikelcode; Materialnummer; Materialnr;
    Sachnummer; Teilenummer; Teilenr; Produktnummer; Produktcode; Produktnr;
    Variantennummer; eigene Artikelnummer; sku offre; référence vendeur; etiqueta personalizada; libellé personnalisé; Bestandseinheit;
    référence article; réf article; code article; référence produit; réf produit; code produit; numéro d'article;
    n° article; no article; nº article; UGS;
    código de artículo; código artículo; código de producto; código producto; número de artículo; referencia artículo;
    referencia de artículo; referencia producto; referencia del producto; nº artículo; ref artículo;
    artikelreferentie; productreferentie; eigen artikelnummer;
    kod towaru; kod produktu; kod SKU; kod artykułu; symbol towaru; symbol produktu; indeks towaru; numer artykułu; nr artykułu; nr katalogowy; numer katalogowy`,
  UPC: `UPC; EAN; GTIN; barcode; EAN code; UPC code; GTIN code; EAN13; EAN 13; item barcode; product barcode; item upc;
    upc ean; ean upc; Barcodes; Strichcode; EAN Nummer; EAN Nr; EAN Code Artikel; GTIN EAN; EAN GTIN;
    code barres; code à barres; code barre; gencod; gencode; código de barras; códigos de barras; código barras;
    product ean; streepjescode; kod kreskowy; kody kreskowe; kod EAN; numer EAN`,
  name: `item name; product name; product; article name; item title; product title; article title; lineitem name; line item name;
          Artikelname; Artikelbezeichnung; Bezeichnung; Produkt; Produktname; Produktbezeichnung; Artikeltitel;       Warenbezeichnung; Artikeltext;
    produit; nom du produit; nom produit; nom de l'article; nom article; désignation; libellé; désignation article;
    libellé article; libellé produit;
    producto; nombre del producto; nombre de producto; nombre producto; nombre del artículo; nombre artículo;
    denominación;
    productnaam; producttitel; productomschrijving; artikelnaam; artikelomschrijving; omschrijving;
    nazwa towaru; nazwa produktu; nazwa artykułu; nazwa przedmiotu; nazwa oferty; tytuł oferty; tytuł aukcji`,
  description: `description; article description; item description; product description; Beschreibung; Artikelbeschreibung; Zusatztext;
    Langtext; descripción; descripción del artículo; descripción del producto`,
  ordered_quantity: `ordered quantity; quantity; qty; ordered; ordered qty; qty ordered; quantity ordered; order quantity;
    order qty; pieces; pcs; units; quantity purchased; item quantity; item qty; quantities; pick quantity; pick qty;
    quantity to pick; qty to pick; units ordered;
    product qty; product quantity; lineitem quantity; line item quantity; Artikelmenge; line quantity; line qty; article quantity; SKU quantity;
    Menge; Anzahl; Anz; Stück; Stueck; Stk; Stückzahl; Stueckzahl; Bestellmenge; bestellte Menge; Auftragsmenge; Sollmenge;
    Soll Menge; Mge; Pickmenge; bestellt;
    quantité; qté; qte; quantité commandée; qté commandée; nb; nombre de pièces; pièces; quantité à préparer;
    cantidad; cant; cantidad pedida; cantidad solicitada; unidades; uds; ud; piezas;
    aantal; aantallen; hoeveelheid; besteld; besteld aantal; aantal besteld; te picken aantal; stuks;
    ilość; ilość zamówiona; zamówiona ilość; ilość sztuk; liczba; liczba sztuk; liczba produktów; sztuk; sztuki; szt; ilość towaru`,
  warehouse_location: `warehouse location; bin; bin location; bin name; bin number; bin code; place; slot; shelf;
    shelf location; storage location; storage bin; pick location; picking location; rack location;
    source location; item location; bin rack; item bin; bin position; outlet bin;
    Lagerplatz; Lagerfach; Fach; Stellplatz; Regal; Regalplatz; Regalfach; Platz; Lagerplatznummer; Lagerplatz Nr;
    Entnahmeplatz; Pickplatz; Stellplatznummer; Quelllagerplatz;
    emplacement; emplacement de stock; casier; étagère; rayonnage; adresse de stockage; emplacement de prélèvement;
    ubicación; ubicación de almacén; ubicación almacén; estante; estantería; casilla; hueco; posición de almacén;
    product location; magazijnlocatie; picklocatie; voorraadlocatie; opslaglocatie; schap; stelling; vak; legbord;
    miejsce; miejsce składowania; miejsce magazynowe; lokalizacja magazynowa; lokalizacja towaru; lokalizacja produktu; półka; regał; gniazdo`,
  callback_nonce: 'callback nonce; nonce; callback reference',
  light_color: 'light color; light colour; LED color; LED colour',
  seconds: 'seconds; timeout; timeout seconds',
  due_time: `due time; due; due date; deadline; ship by; ship by date; ship date; required date; requested ship date; promise date;
    delivery date; latest ship date; dispatch by date; post by date; need by date; due on;
    shipment date; expected ship date; expected shipment date; estimated ship date; estimated ship out date; planned ship date; planned shipment date; scheduled ship date; scheduled date;
    must ship by; need by; despatch by date; required despatch date; required dispatch date; requested delivery; requested delivery date; expected delivery date; delivery deadline;
    shipping deadline; promised date; promised delivery date;
    voraussichtliches Lieferdatum; voraussichtliches Versanddatum; geplantes Lieferdatum; geplantes Versanddatum; Warenausgangsdatum; WA Datum; Wunschlieferdatum;
    Wunschliefertermin; gewünschtes Lieferdatum; date limite d'expédition; date limite d'envoi; date d'expédition prévue; date de livraison prévue; date de livraison souhaitée;
    date prévue; date planifiée; fecha límite de envío; fecha prevista; fecha prevista de entrega; fecha de entrega prevista;
    fällig; Fälligkeit; fällig am; Fälligkeitsdatum; Liefertermin; Lieferdatum; Versanddatum; Versandtermin;
    Wunschtermin; Termin; faellig; faellig am; Versand bis;
    échéance; date d'échéance; date de livraison; date livraison; date limite; à livrer le; à expédier le;
    date d'expédition; date expédition prévue;
    vencimiento; fecha de vencimiento; fecha de entrega; fecha entrega; fecha límite; fecha de envío; plazo;
    leverdatum; gewenste leverdatum; verwachte leverdatum; uiterste leverdatum; uiterste verzenddatum; verzenden voor; verzenden uiterlijk; verzenddatum; leveren op; leveren voor;
    termin realizacji; termin wysyłki; termin dostawy; wysłać do; wyślij do; planowana data wysyłki; planowana data dostawy; data realizacji; data dostawy; wymagana data dostawy`,
  customer: `customer; customer name; buyer name; buyer; recipient; recipient name; ship to; ship to name;
    shipping name; consignee; sold to;
    Kunde; Kundenname; Name des Kunden; Empfänger; Empfaenger; Käufer; Kaeufer; Besteller; Lieferadresse Name; Auftraggeber;
    client; nom du client; nom client; destinataire; acheteur;
    cliente; nombre del cliente; nombre de cliente; nombre cliente; destinatario; comprador;
    klant; klantnaam; naam klant; naam van de klant; ontvanger; koper; afnemer; debiteur; debiteurnaam; naam ontvanger;
    klient; nazwa klienta; kupujący; nabywca; odbiorca; nazwa odbiorcy; kontrahent; nazwa kontrahenta; imię i nazwisko; imię i nazwisko kupującego`,
  note: `note; order note; order notes; customer note; customer notes; comment; comments; remark; remarks; instructions;
    buyer note; delivery instructions; packing note; internal note; internal notes;
    Notiz; Bemerkung; Bemerkungen; Hinweis; Hinweise; Kommentar; Anmerkung; Anmerkungen; Kundenhinweis; Kundennotiz;
    Kundenbemerkung; Lieferhinweis;
    remarque; remarques; commentaire; commentaires; note client; observation;
    nota; observaciones; comentario; comentarios; nota del cliente; notas del cliente;
    buyer comments; buyer comment; opmerking; opmerkingen; notitie; notities; toelichting; klantnotitie; opmerking klant; opmerking van klant;
    uwaga; uwagi; uwagi klienta; komentarz klienta; komentarz kupującego; uwagi do zamówienia; komentarz; komentarze; notatka; notatki; wiadomość od kupującego; wiadomość dla sprzedającego`,
  quantity_to_ship: `quantity to ship; qty to ship; open quantity; open qty; quantity open; qty open; remaining quantity;
    remaining qty; quantity remaining; qty remaining; outstanding quantity; qty to deliver; quantity to deliver;
    unfulfilled quantity; to ship;
    offene Menge; Restmenge; noch zu liefern; zu liefern; Menge offen; Liefermenge offen; Rückstand;
    reste à livrer; quantité restante; qté restante; quantité à livrer; qté à livrer; quantité à expédier;
    cantidad pendiente; cantidad restante; cantidad por enviar; por enviar; pendiente de envío; por servir`,
  shipped_quantity: `quantity shipped; qty shipped; shipped quantity; shipped qty; delivered quantity; delivered qty;       quantity delivered; qty delivered; fulfilled quantity; quantity fulfilled; qty fulfilled; picked quantity; qty picked;
    gelieferte Menge; Menge geliefert; bereits geliefert; ausgelieferte Menge;
    quantité livrée; qté livrée; quantité expédiée; qté expédiée; déjà livré;
    cantidad enviada; cantidad entregada; cantidad servida; ya enviado`,
  refunded_quantity: `refunded quantity; refunded qty; quantity refunded; qty refunded; returned quantity; returned qty; quantity returned; qty returned;
    erstattete Menge; retournierte Menge; quantité remboursée; quantité retournée; cantidad reembolsada; cantidad devuelta`,
  canceled_quantity: `canceled quantity; canceled qty; cancelled quantity; cancelled qty; quantity canceled; quantity cancelled; qty canceled; qty cancelled;
    stornierte Menge; quantité annulée; cantidad cancelada; cantidad anulada`,
  order_status: `order status; order state; Auftragsstatus; Bestellstatus; Status des Auftrags; état de la commande;
    statut de la commande; statut commande; estado del pedido; estado pedido`,
  line_status: `line status; item status; line item status; Positionsstatus; statut de la ligne; estado de la línea`,
  payment_status: 'payment status; financial status; Zahlungsstatus; statut du paiement; estado del pago',
  canceled_at: `canceled at; cancelled at; canceled on; cancelled on; date canceled; date cancelled; storniert am;
    annulée le; annulé le; cancelado el`,
  shipped_at: `shipped at; shipped on; shipped on date; date shipped; shipped date; fulfilled at; versendet am; verschickt am;
    geliefert am; expédié le; expédiée le; livré le; enviado el; fecha enviado`,
  unit: `unit; unit of measure; unit of measurement; uom; order unit; order uom; sales unit; sales uom; quantity unit; qty unit; qty uom; unit code; unit of measure code; uom code;
    Einheit; Einheitencode; Mengeneinheit; ME; Mengeneinh; Verkaufseinheit; Bestelleinheit; Auftragseinheit;
    unité; unité de mesure; unité de vente; unité de commande; unidad; unidad de medida; unidad de venta; unidad de pedido; UM; UdM;
    unità; unità di misura; meeteenheid; eenheid; besteleenheid; jednostka; jednostka miary; jm; j m`,
  unit_pieces: `unit pieces; pieces per unit; pcs per unit; quantity per unit; qty per unit; qty per unit of measure; quantity per unit of measure; uom conversion factor;
    conversion factor; Stück pro Einheit; Stück je Einheit; Menge pro Einheit; Menge je Einheit; Umrechnungsfaktor;
    pièces par unité; facteur de conversion; piezas por unidad; factor de conversión;
    stuks per eenheid; aantal per eenheid; omrekenfactor; sztuk w jednostce; ilość w jednostce; przelicznik`,
  stock_quantity: `quantity in stock units; quantity in stock unit; qty in stock units; qty in stock uom; quantity in stock uom; qty as per stock uom;
    quantity base; qty base; base quantity; base qty; quantity in base units; quantity in base unit; quantity in base uom; quantity in pieces; qty in pieces;
    Menge in Lagereinheit; Menge in Lagereinheiten; Menge in Basiseinheit; Menge in Basismengeneinheit; Basismenge; Menge Basis; Menge in Stück;
    quantité en unité de stock; quantité en unités de stock; quantité de base; quantité en pièces;
    cantidad en unidad de stock; cantidad en unidades de stock; cantidad base; cantidad en piezas`,
  customer_first_name: `first name; given name; shipping first name; recipient first name; Vorname; prénom; nombre de pila; voornaam; imię`,
  customer_last_name: `last name; surname; family name; shipping last name; recipient last name; Nachname; Familienname; nom de famille; apellido; apellidos; achternaam; nazwisko`,
  requires_shipping: 'requires shipping; needs shipping; versandpflichtig; nécessite une expédition; requiere envío',
} as const satisfies Partial<Record<TableField, string>>;

const ARTICLES: Partial<Record<TableField, string>> = {
  SKU: ORDERS.SKU,
  UPC: ORDERS.UPC,
  name: `${ORDERS.name}; name; nom; nombre; names; namen; naam; nazwa`,
  description: ORDERS.description,
  location: ORDERS.warehouse_location,
  unit: `unit; units; unit of measure; uom; Einheit; Mengeneinheit; ME; unité; unité de mesure; unidad; unidad de medida`,
  note: `note; notes; comment; comments; remark; remarks; Notiz; Notizen; Bemerkung; Bemerkungen; Kommentar; Anmerkung; Anmerkungen;
    remarque; remarques; commentaire; commentaires; nota; notas; observaciones; comentario; comentarios;
    opmerking; opmerkingen; notitie; uwagi; komentarz`,
  active: 'active; is active; aktiv; actif; activo; actief; aktywny; aktywne',
  barcode_quantity: `barcode quantity; pieces per barcode; pack quantity; pack size; quantity per pack; Packungsgröße; Stück je Packung;
    Verpackungseinheit; VPE; quantité par paquet; cantidad por paquete`,
  priority: 'priority; prio; Priorität; priorité; prioridad',
  minimum: `minimum; min; minimum stock; min stock; reorder at; reorder level; reorder point; low stock amount; Mindestbestand; Meldebestand;
    stock minimum; stock minimal; seuil; stock mínimo; mínimo`,
  maximum: `maximum; max; maximum stock; max stock; holds; capacity; Höchstbestand; Maximalbestand; Kapazität; stock maximum; stock maximal;
    capacité; stock máximo; máximo; capacidad`,
  on_hand: `on hand; quantity on hand; qty on hand; on hand quantity; stock; stock quantity; stock level; in stock; quantity; qty; pieces; pcs;
    Bestand; Lagerbestand; Menge; Anzahl; Stück; Stückzahl; quantité; qté; en stock; quantité en stock; cantidad; existencias; cant;
    stock on hand; physical stock; total stock; stock total; current stock; quantity in stock; qty in stock; Lagerbestand gesamt; Gesamtbestand; Bestand gesamt; Gesamtlagerbestand; physischer Bestand; aktueller Bestand; Lagermenge;
    stock physique; stock réel; stock actuel; stock físico; stock real; stock actual; existencias totales; aantal; voorraad; voorraad aantal; technische voorraad; stan magazynowy; ilość; ilość na stanie; na stanie`,
};

/** Column names of each field in English, German, French, Spanish, Dutch and Polish, compared by `columnKey`. Each name belongs to only one field. */
export const SYNONYMS: Readonly<Record<TableKind, Partial<Record<TableField, string>>>> = {
  orders: ORDERS,
  articles: ARTICLES,
  locations: {
    name: `name; alias; alias name; location alias; location; location name; place; place name; bin; bin name; slot; SKU; shelf;
      Platz; Lagerplatz; Fach; Stellplatz; Ort; Name des Platzes; Platzname; Regalplatz; Regalfach; Lagerfach; Lagerplatznummer; Lagerort;
      nom; emplacement; casier; lieu; nombre; ubicación; casilla; lugar; estante;
      locatie; magazijnlocatie; vak; naam; lokalizacja; miejsce; półka; nazwa`,
    deviceid: `deviceid; device; device identifier; pickstation device; Gerät; Geraet; Geräte ID; Geraete ID; Gerätekennung;
      appareil; identifiant de l'appareil; ID appareil; dispositivo; ID de dispositivo; ID del dispositivo`,
    deviceIs: `deviceis; where; where is the device; device position; device direction; wo ist das Gerät; Lage des Geräts; wo;
      où; où est l'appareil; position de l'appareil; dónde; dónde está el dispositivo; posición del dispositivo`,
    label: `label; device label; label of device; location label; location override; new label;
      Beschriftung; Etikett; Schild; Gerätebeschriftung; neue Beschriftung; étiquette; libellé; etiqueta; rótulo`,
    note: `note; notes; remark; remarks; comment; comments; Notiz; Notizen; Bemerkung; Bemerkungen; Kommentar; remarque; remarques;
      commentaire; nota; notas; comentario; observaciones`,
    article: `article; article number; article no; article code; article sku; item number; item no; item code; item sku; product code; product number;
      product sku; SKUs; Artikelnummer; Artikelnr; Artikel Nr; Art Nr; Produktnummer; référence article; code article; código de artículo;
      referencia de artículo`,
    rack: 'rack name; rack number; rack no; Regalname; Regalnummer; Regal Nr; numéro de rack; número de estantería',
    shelf: `shelf name; shelf number; shelf no; shelf level; level; Ebene; Regalebene; Fachboden; Regalboden; niveau; tablette; nivel; balda`,
    column: `column; column number; column no; col; Spalte; Spaltennummer; colonne; columna; número de columna`,
  },
};

/** Field of each column name, by `columnKey`. */
export const FIELD_BY_KEY: Readonly<Record<TableKind, ReadonlyMap<string, TableField>>> = {
  orders: new Map(keysOf('orders').map(({ key, field }) => [key, field])),
  articles: new Map(keysOf('articles').map(({ key, field }) => [key, field])),
  locations: new Map(keysOf('locations').map(({ key, field }) => [key, field])),
};

/** Returns all column names of the fields, with their keys. */
export function keysOf(kind: TableKind): { field: TableField; called: string; key: string }[] {
  return Object.entries(SYNONYMS[kind]).flatMap(([field, names]) =>
    names.split(';').map((called) => ({ field: field as TableField, called: called.trim(), key: columnKey(called) })),
  );
}
