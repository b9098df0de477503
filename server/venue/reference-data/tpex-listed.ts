/** Well-known over-the-counter securities, in the columns of the listed ones. */
export const OTC_KNOWN = `
#02
1264|德麥|Tehmag Foods|312|34
4205|中華食|Chung Hwa Food|92.6|71
#03
4303|信立|Sunlit Plastics|19.8|76
4305|世坤|Shih Kuen Plastics|22.4|62
9950|萬國通|Eminent Luggage|16.2|94
#04
4401|東隆興|Tung Lung Hsing|18.4|62
4433|興采|Singtex|22.6|74
#05
1580|新麥|Sinmag|146|50
2066|世德|QST International|52.8|68
4506|崇友|Golden Friends|98.4|177
4510|高鋒|Kao Fong Machinery|26.2|108
4535|至興|Fine Blanking|38.6|74
8255|朋程|Actron|132|98
9951|皇田|Macauto|62.4|75
#06
2061|風青|Feng Ching Metal|18.2|72
#10
2035|唐榮|Tang Eng Iron|32.6|350
5009|榮剛|Gloria Material|38.4|566
8349|恒耀|Boltun|52.6|146
8415|大國鋼|Brighton-Best|38.2|436
#14
3489|森寶|Sunbow|18.4|142
5206|坤悅|Kunyue|22.6|186
5511|德昌|Te Chang|62.4|120
5512|力麒|Rich Development|11.2|762
#15
2641|正德|Franbo Lines|19.8|276
2643|捷迅|Soonest Express|58.4|44
5603|陸海|Evertop|26.2|98
5609|中菲行|Dimerco|82.4|145
#16
1268|漢來美食|Hi-Lai Foods|142|45
2726|雅茗-KY|Yummy Town|52.6|40
2729|瓦城|TTFB|212|26
2732|六角|La Kaffa|92.4|53
2734|易飛網|ezTravel|32.6|68
2752|豆府|Tofu Restaurant|162|31
2755|揚秦|Yang Qin|92.6|31
5701|劍湖山|Janfusun Fancyworld|9.62|213
#17
5864|致和證|Horizon Securities Chih Ho|24.6|118
5878|台名|Taiming Assurance Broker|82.4|25
6015|宏遠證|Honsec|12.6|432
6016|康和證|Concord Securities|16.8|613
6023|元大期|Yuanta Futures|92.4|290
6026|福邦證|Grand Fortune Securities|16.2|312
#20
5209|新鼎|CTCI Advanced Systems|132|29
5314|世紀*|Myson Century|28.4|94
5530|龍巖|Lungyen Life|48.6|420
8916|光隆|Kwong Lung|56.2|122
8936|國統|Kuo Toong|52.4|248
#21
3430|奇鈦科|Chitec|62.4|52
4714|永捷|YongJie|22.6|88
4721|美琪瑪|Mechema|98.4|72
4772|台特化|Taiwan Specialty Chemicals|186|148
6509|聚和|Hopax|42.6|182
#22
1565|精華|St. Shine Optical|186|50
3176|基亞|Medigen|52.6|140
3218|大學光|Universal Vision|232|84
4105|東洋|TTY Biopharm|76.8|249
4123|晟德|Center Laboratories|48.2|650
4128|中天|Microbio|22.6|420
4147|中裕|TaiMed Biologics|72.4|250
4162|智擎|PharmaEngine|92.6|144
4174|浩鼎|OBI Pharma|58.4|230
4743|合一|Oneness Biotech|82.6|410
6469|大樹|Great Tree Pharmacy|192|148
6492|生華科|Senhwa Biosciences|38.4|100
6547|高端疫苗|Medigen Vaccine|42.6|340
#23
8908|欣雄|Hsin Hsiung Gas|52.4|92
8917|欣泰|Hsin Tai Gas|68.2|98
8927|北基|North-Star Petroleum|32.6|298
8931|大汽電|Ta-Yuan Cogeneration|46.2|124
#24
3105|穩懋|WIN Semiconductors|112|424
3141|晶宏|Ultra Chip|72.4|72
3227|原相|PixArt|212|147
3260|威剛|Adata|92.6|310
3264|欣銓|Ardentec|68.4|488
3317|尼克森|NIKO-SEM|52.6|86
3374|精材|Xintec|162|271
3529|力旺|eMemory|2860|75
3680|家登|Gudeng Precision|412|95
3707|漢磊|Episil|42.6|328
4966|譜瑞-KY|Parade|682|81
5274|信驊|ASPEED|4120|38
5299|杰力|Excelliance MOS|92.6|52
5347|世界|Vanguard|96.4|1840
5351|鈺創|Etron|28.6|310
5425|台半|Taiwan Semiconductor|62.4|263
5483|中美晶|Sino-American Silicon|112|641
6104|創惟|Genesys Logic|142|90
6138|茂達|Anpec|212|74
6147|頎邦|Chipbond|62.8|745
6182|合晶|Wafer Works|28.4|590
6187|萬潤|All Ring|412|98
6223|旺矽|MPI|786|94
6261|久元|YoungTek|68.4|124
6411|晶焱|Amazing Micro|98.6|93
6462|神盾|Egis Technology|142|88
6488|環球晶|GlobalWafers|362|478
6510|精測|CHPT|786|33
#25
3211|順達|Dynapack|212|152
3483|力致|Forcecon|132|92
3540|曜越|Thermaltake|38.6|98
3611|鼎翰|TSC Auto ID|212|47
3693|營邦|AIC|412|46
4987|科誠|Godex|82.4|38
5289|宜鼎|Innodisk|286|91
6121|新普|Simplo|386|185
6150|撼訊|TUL|42.6|50
6188|廣明|QSI|92.4|279
8050|廣積|iBASE|68.4|196
8234|新漢|Nexcom|62.6|142
#26
3362|先進光|AOET|62.4|115
3615|安可|AimCore|32.6|62
3691|碩禾|Giga Solar|72.4|86
5371|中光電|Coretronic|78.6|391
6244|茂迪|Motech|22.8|387
8064|東捷|Contrel|42.6|162
8069|元太|E Ink|262|1147
#27
3081|聯亞|LandMark|386|92
3152|璟德|ACX|142|62
3163|波若威|Browave|132|81
3234|光環|TrueLight|42.6|110
3363|上詮|FOCI|212|104
3491|昇達科|UMT|312|64
4979|華星光|LuxNet|186|141
5353|台林|Tailyn|24.6|94
6263|普萊德|Planet Technology|142|62
6465|威潤|ATrack|28.4|68
6486|互動|Interactive Digital|72.4|46
6561|是方|Chief Telecom|392|78
#28
1815|富喬|Fulltech Fiber Glass|32.6|486
3217|優群|Argosy|152|90
3294|英濟|Megaforce|26.4|130
3357|臺慶科|Tai-Tech|118|103
3526|凡甲|Alltop|242|60
3548|兆利|Jarllytec|162|68
3624|光頡|Viking Tech|52.6|117
3689|湧德|U.D. Electronic|72.4|97
3710|連展投控|Connectek|22.4|156
5228|鈺鎧|MagLayers Electronics|46.2|54
5328|華容|Hua Jung|21.6|110
5340|建榮|Baotek|28.4|194
5439|高技|First Hi-Tec|142|92
5457|宣德|Speed Tech|52.6|168
6173|信昌電|Prosperity Dielectrics|52.8|172
6203|海韻電|Sea Sonic|72.4|81
6207|雷科|Laser Tek|52.6|98
#29
3360|尚立|Sunlead|22.6|72
6113|亞矽|AIC Electronics|26.4|74
6118|建達|Xander|32.6|94
6154|順發|Sunfar|19.8|86
6227|茂綸|Macnica Galaxy|42.4|58
8096|擎亞|CoAsia|32.6|142
#30
3570|大塚|Otsuka Information|132|17
4953|緯軟|Wistron ITS|112|72
5212|凌網|HyWeb|46.2|38
5403|中菲|DimERP|72.4|34
6123|上奇|GrandTech|52.6|58
6140|訊達|Data Systems|32.4|42
6231|系微|Insyde|312|45
6752|叡揚|Galaxy Software|132|32
8416|實威|SolidWizard|152|24
#31
1785|光洋科|Solar Applied Materials|62.4|596
3131|弘塑|Grand Process|1260|29
3289|宜特|iST|118|75
3324|雙鴻|Auras|786|91
3402|漢科|Wholetech|82.6|72
3498|陽程|UTECHZONE Robotics|46.2|82
3587|閎康|MA-tek|186|66
5536|聖暉*|Acter|386|128
6146|耕興|Sporton|186|102
6613|朋億*|Nova Technology|212|78
8183|精星|Inventec Precision|28.6|122
#32
3064|泰偉|Astro|28.6|62
3083|網龍|Chinesegamer|38.4|62
3086|華義|Wayi|22.6|60
3293|鈊象|IGS|862|282
3546|宇峻|UserJoy|62.4|46
5263|智崴|Brogent|98.6|64
5478|智冠|Soft-World|112|157
6144|得利影|Deltamac|21.4|46
6169|昱泉|Interserv|18.6|42
6180|橘子|Gamania|72.4|175
6542|隆中|Lung Chung Games|52.4|21
6596|寬宏藝術|Kuang Hong Arts|92.6|28
8446|華研|HIM|132|53
8450|霹靂|Pili|21.8|54
#33
1240|茂生農經|Morn Sun Feed|52.6|42
4171|瑞基|GeneReach|32.4|54
6508|惠光|Huikwang|42.6|70
6578|達邦蛋白|DaBomb Protein|38.4|36
#35
6803|崑鼎|ECOVE|286|72
8390|金益鼎|Jin Yi Ding|72.4|102
6624|萬年清|Wan Nien Ching|28.6|48
#36
3687|歐買尬|O'Will|52.6|52
5278|尚凡*|Sunfun|42.4|46
5287|數字|Addcn|212|56
6690|安碁資訊|Acer Cyber Security|162|23
8044|網家|PChome Online|32.6|142
8477|創業家|Kuobrothers|18.6|38
#37
1593|祺驊|Chi Hua Fitness|52.4|38
8924|大田|OTA|62.6|82
8928|鉅明|Dynamic Precision Golf|82.4|54
8933|愛地雅|Ideal Bike|12.6|268
8938|明安|Advanced International|62.4|138
#38
2916|滿心|Maxim Fashion|18.4|52
5902|德記|Tait Marketing|19.6|46
5903|全家|FamilyMart Taiwan|212|223
5904|寶雅|Poya|486|103
6195|詩肯|Scan-D|42.6|45
6629|泰金-KY|Tai Chin|62.4|42
6728|上洋|Shang Yang|32.6|38
`;
