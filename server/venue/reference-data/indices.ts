/** The indices of both boards and their constituents. */

/** The indices of the whole listed board and of the whole OTC board. */
export const BOARD_INDICES = ["IX0001", "IX0043"] as const;

/** The indices of both boards, the TAIEX under the short name every quote board uses: `code|zh|en|level at the anchor date|constituent industries` under `#board` (`*` all, `!` all but these). */
export const INDEX_TABLE = `
#listed
IX0001|加權指數|TAIEX|23150|*
IX0007|未含金融指數|Non-Finance Sub-Index|20480|!17
IX0008|未含電子指數|Non-Electronics Sub-Index|17620|!24-31
IX0009|未含金融電子指數|Non-Finance Non-Electronics Sub-Index|14250|!17,24-31
IX0013|水泥窯製類指數|Cement and Ceramic|182.4|01,08
IX0014|塑膠化工類指數|Plastic and Chemical|142.6|03,21,22
IX0015|機電類指數|Electrical (electric machinery + cable)|512.3|05,06
IX0010|水泥類指數|Cement|152.8|01
IX0011|食品類指數|Food|2068|02
IX0012|塑膠類指數|Plastics|136.2|03
IX0016|紡織纖維類指數|Textiles|512.4|04
IX0017|電機機械類指數|Electric Machinery|372.6|05
IX0018|電器電纜類指數|Electrical and Cable|118.2|06
IX0019|化學生技醫療類指數|Chemical, Biotechnology and Medical Care|112.6|21,22
IX0020|化學類指數|Chemical|106.4|21
IX0021|生技醫療類指數|Biotechnology and Medical Care|78.6|22
IX0022|玻璃陶瓷類指數|Glass and Ceramics|42.8|08
IX0023|造紙類指數|Paper and Pulp|212.4|09
IX0024|鋼鐵類指數|Iron and Steel|112.6|10
IX0025|橡膠類指數|Rubber|232.8|11
IX0026|汽車類指數|Automobile|342.6|12
IX0027|電子工業類指數|Electronics|1326|24-31
IX0028|半導體類指數|Semiconductor|742.8|24
IX0029|電腦及週邊設備類指數|Computer and Peripheral Equipment|312.4|25
IX0030|光電類指數|Optoelectronics|42.6|26
IX0031|通信網路類指數|Communications and Internet|162.8|27
IX0032|電子零組件類指數|Electronic Parts and Components|262.4|28
IX0033|電子通路類指數|Electronic Products Distribution|242.6|29
IX0034|資訊服務類指數|Information Service|212.4|30
IX0035|其他電子類指數|Other Electronics|132.6|31
IX0036|建材營造類指數|Building Materials and Construction|462.8|14
IX0037|航運類指數|Shipping and Transportation|202.6|15
IX0038|觀光餐旅類指數|Tourism and Hospitality|122.4|16
IX0039|金融保險類指數|Finance and Insurance|2186|17
IX0040|貿易百貨類指數|Trading and Consumers' Goods|262.4|18
IX0041|油電燃氣類指數|Oil, Gas and Electricity|82.6|23
IX0185|綠能環保類指數|Green Energy and Environmental Services|142.8|35
IX0186|數位雲端類指數|Digital and Cloud Services|92.4|36
IX0187|運動休閒類指數|Sports and Leisure|98.6|37
IX0188|居家生活類指數|Household|112.4|38
IX0042|其他類指數|Other|312.6|20
#otc
IX0043|櫃買指數|TPEx Index|248.6|*
IX0047|櫃買電子類指數|TPEx Electronics|368.2|24-31
IX0044|櫃買紡纖類指數|TPEx Textiles|212.4|04
IX0045|櫃買機械類指數|TPEx Electric Machinery|162.8|05
IX0051|櫃買化工類指數|TPEx Chemical|182.4|21
IX0052|櫃買生技醫療類指數|TPEx Biotechnology and Medical Care|112.6|22
IX0046|櫃買鋼鐵類指數|TPEx Iron and Steel|132.8|10
IX0053|櫃買半導體類指數|TPEx Semiconductor|412.6|24
IX0054|櫃買電腦及週邊類指數|TPEx Computer and Peripheral Equipment|262.4|25
IX0055|櫃買光電業類指數|TPEx Optoelectronics|82.6|26
IX0056|櫃買通信網路類指數|TPEx Communications and Internet|212.8|27
IX0057|櫃買電子零組件類指數|TPEx Electronic Parts and Components|242.4|28
IX0058|櫃買電子通路類指數|TPEx Electronic Products Distribution|92.6|29
IX0059|櫃買資訊服務類指數|TPEx Information Service|182.4|30
IX0099|櫃買其他電子類指數|TPEx Other Electronics|312.8|31
IX0075|櫃買文化創意業類指數|TPEx Cultural and Creative|142.6|32
IX0048|櫃買營建類指數|TPEx Building Materials and Construction|162.4|14
IX0049|櫃買航運類指數|TPEx Shipping and Transportation|128.6|15
IX0050|櫃買觀光餐旅類指數|TPEx Tourism and Hospitality|152.8|16
IX0100|櫃買其他類指數|TPEx Other|142.4|20
IX0189|櫃買綠能環保類指數|TPEx Green Energy and Environmental Services|112.8|35
IX0190|櫃買數位雲端類指數|TPEx Digital and Cloud Services|96.4|36
IX0191|櫃買居家生活類指數|TPEx Household|104.6|38
`;
